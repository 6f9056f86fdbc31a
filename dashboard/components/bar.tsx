import { formatShare, formatSize } from './format';

interface BarProps {
  readonly resourceClass: string;
  readonly used: number;
  readonly capacity: number;
  /** A text behind the numbers, such as the free amount. */
  readonly detail?: string;
}

/** Shows the usage of a capacity as a share, a bar and the amounts. */
export function Bar({ resourceClass, used, capacity, detail }: BarProps) {
  const share = capacity > 0 ? used / capacity : null;
  const width = Math.min(Math.max(share ?? (used > 0 ? 1 : 0), 0), 1);
  return (
    <div className="bar">
      <div className="bar-head">
        <span className="bar-label">{resourceClass}</span>
        <span className="bar-share">{formatShare(share)}</span>
      </div>
      <div className={used > capacity ? 'bar-track over' : 'bar-track'} aria-hidden="true">
        <div className="bar-fill" style={{ width: `${width * 100}%` }} />
      </div>
      <div className="bar-figures">
        <span>
          {formatSize(resourceClass, used)} of {formatSize(resourceClass, capacity)}
        </span>
        {detail !== undefined && <span>{detail}</span>}
      </div>
    </div>
  );
}
