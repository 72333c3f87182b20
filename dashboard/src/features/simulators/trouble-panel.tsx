import { useState } from 'react';
import type { Simulator } from '../../api/simulator-paths';
import { Card } from '../../kit/page';
import { Tabs } from '../../kit/tabs';
import { CallLog } from './call-log';
import { FaultDial } from './fault-dial';
import { messages as t } from './trouble-messages';

/** The faults of each platform, and the calls that Trunkline made to it. */
export function TroublePanel({ simulators }: { readonly simulators: readonly Simulator[] }) {
  const [chosen, setChosen] = useState(simulators[0]?.platform ?? '');
  const simulator = simulators.find(({ platform }) => platform === chosen) ?? simulators[0];
  if (simulator === undefined) return null;
  return (
    <Card title={t('trouble')} description={t('troubleHelp')}>
      <Tabs
        value={simulator.platform}
        onChange={setChosen}
        tabs={simulators.map(({ platform, name }) => ({ value: platform, title: name }))}
      >
        <div className="flex flex-col gap-5">
          <FaultDial simulator={simulator} />
          <CallLog simulator={simulator} />
        </div>
      </Tabs>
    </Card>
  );
}
