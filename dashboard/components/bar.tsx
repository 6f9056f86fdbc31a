import { formatAmount, formatShare, formatShort } from './format';

interface BarProps {
  /** What is measured, as VCPU. */
  readonly label: string;
  readonly used: number;
  readonly capacity: number;
  /** What stands behind the figures, as how much is free. */
  readonly detail?: string;
  /** Whether large amounts are abbreviated, as 1.25M. */
  readonly isShort?: boolean;
}

/** How much of a capacity is in use: a bar with its figures above. */
export function Bar({ label, used, capacity, detail, isShort = false }: BarProps) {
  const format = isShort ? formatShort : formatAmount;
  const share = capacity > 0 ? used / capacity : null;
  const width = Math.min(Math.max(share ?? (used > 0 ? 1 : 0), 0), 1);
  return (
    <div className="bar">
      <div className="bar-head">
        <span className="bar-label">{label}</span>
        <span className="bar-share">{formatShare(share)}</span>
      </div>
      <div className={share !== null && share > 1 ? 'bar-track over' : 'bar-track'} aria-hidden="true">
        <div className="bar-fill" style={{ width: `${width * 100}%` }} />
      </div>
      <div className="bar-figures">
        <span>
          {format(used)} of {format(capacity)}
        </span>
        {detail !== undefined && <span>{detail}</span>}
      </div>
    </div>
  );
}
