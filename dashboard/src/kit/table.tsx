import type { ReactNode } from 'react';

interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Hidden on narrow screens. */
  readonly isMinor?: boolean;
  /** Holds buttons. Its title is only for assistive technology. */
  readonly isAction?: boolean;
}

interface TableProps<Row> {
  /** Label of the table, for assistive technology. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

export function Table<Row>({ label, columns, rows, rowKey }: TableProps<Row>) {
  const minor = ({ isMinor, isAction }: Column<Row>) =>
    `${isMinor ? 'hidden md:table-cell' : ''} ${isAction ? 'w-px' : ''}`;
  return (
    <div className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table aria-label={label} className="w-full border-collapse text-left text-sm">
        <thead>
          <tr className="border-line border-b">
            {columns.map((column) => (
              <th key={column.title} className={`px-3 py-2 font-medium text-muted ${minor(column)}`}>
                {column.isAction ? <span className="sr-only">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-line border-b last:border-b-0 hover:bg-hover">
              {columns.map((column) => (
                <td
                  key={column.title}
                  className={`untrusted max-w-80 first:min-w-24 px-3 py-2 align-middle touch:[&_:is(a,summary)]:-my-3 touch:[&_:is(a,summary)]:py-3 ${minor(column)}`}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
