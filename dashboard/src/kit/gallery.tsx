import { Archive, Inbox, MoreHorizontal, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Avatar } from './avatar';
import { Badge, Status, type Tone } from './badge';
import { Button } from './button';
import { CopyBox } from './copy';
import { Dialog } from './dialog';
import { EmptyState, ErrorState, SkeletonList } from './feedback';
import { Field, Input, TextArea } from './field';
import { Menu, MenuItem, MenuSeparator } from './menu';
import { Card, Page } from './page';
import { Popover } from './popover';
import { Select } from './select';
import { Table } from './table';
import { Tabs } from './tabs';
import { showError, showToast } from './toast';
import { Tooltip } from './tooltip';

const TONES: readonly Tone[] = ['neutral', 'info', 'success', 'warning', 'danger'];
const HOSTILE = `<script>alert(1)</script> \u202Eesrever${'e\u0301'.repeat(40)} ${'x'.repeat(300)}`;

/** Shows every component once. Texts are hostile input. */
export function Gallery() {
  return (
    <Page
      title="Kit"
      description="Every component of the kit."
      actions={<Button kind="primary">Main</Button>}
    >
      <Buttons />
      <Fields />
      <Overlays />
      <Data />
      <Card title="States">
        <EmptyState icon={Inbox} title="Nothing here yet" action={<Button>Do something</Button>}>
          What will be here, and how it comes.
        </EmptyState>
        <ErrorState error={new Error('planted')} />
        <SkeletonList rows={2} />
      </Card>
    </Page>
  );
}

function Buttons() {
  return (
    <Card title="Buttons and badges">
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="primary">Primary</Button>
        <Button>Secondary</Button>
        <Button kind="quiet">Quiet</Button>
        <Button kind="danger">Danger</Button>
        <Button kind="destructive">Destructive</Button>
        <Button disabled>Disabled</Button>
        <Button size="sm">Small</Button>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {TONES.map((tone) => (
          <Status key={tone} tone={tone}>
            {tone}
          </Status>
        ))}
        <Badge>label</Badge>
        <Badge>{HOSTILE}</Badge>
        <Avatar name="Ada" />
        <Avatar name="王" />
        <Avatar name="" />
      </div>
    </Card>
  );
}

function Fields() {
  const [choice, setChoice] = useState<'one' | 'two'>('one');
  return (
    <Card title="Fields">
      <Field label="Name" help="What others see.">
        <Input placeholder="Ada" />
      </Field>
      <Field label="E-mail address" error="This is no e-mail address.">
        <Input defaultValue="ada@" />
      </Field>
      <Field label="Text">
        <TextArea rows={3} />
      </Field>
      <Field label="Choice">
        <Select value={choice} onChange={setChoice} options={{ one: 'One', two: HOSTILE }} />
      </Field>
    </Card>
  );
}

function Overlays() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title="Overlays">
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={() => setOpen(true)}>Dialog</Button>
        <Menu
          trigger={
            <Button size="icon" aria-label="More">
              <MoreHorizontal aria-hidden className="size-4" />
            </Button>
          }
        >
          <MenuItem icon={<Archive aria-hidden />} shortcut="E" onSelect={() => showToast('Archived')}>
            Archive
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Trash2 aria-hidden />} isDanger onSelect={() => showError(new Error('planted'))}>
            Delete
          </MenuItem>
        </Menu>
        <Tooltip text={HOSTILE}>
          <Button>Tooltip</Button>
        </Tooltip>
        <Popover title="Details" trigger={<Button>Popover</Button>}>
          <p className="untrusted text-sm">{HOSTILE}</p>
        </Popover>
        <Button onClick={() => showToast('Resolved', () => showToast('Taken back'))}>Toast</Button>
        <Button onClick={() => showError(new Error('planted'))}>Error</Button>
      </div>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Delete this?"
        description="It cannot be taken back."
        actions={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button kind="danger" onClick={() => setOpen(false)}>
              Delete
            </Button>
          </>
        }
      />
    </Card>
  );
}

function Data() {
  const [tab, setTab] = useState<'table' | 'text'>('table');
  const tabs = [
    { value: 'table', title: 'Table' },
    { value: 'text', title: 'Text to copy' },
  ] as const;
  return (
    <Card title="Data">
      <Tabs value={tab} onChange={setTab} tabs={tabs}>
        {tab === 'table' ? (
          <Table
            label="Examples"
            columns={[
              { title: 'Name', cell: ({ name }) => name },
              { title: 'State', cell: () => <Status tone="success">active</Status> },
            ]}
            rows={[{ name: 'Ada' }, { name: HOSTILE }]}
            rowKey={({ name }) => name}
          />
        ) : (
          <CopyBox label="Command" text={`curl -H "X-API-Key: …" http://localhost:8080/v1/openapi/status`} />
        )}
      </Tabs>
    </Card>
  );
}
