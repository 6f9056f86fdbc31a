interface ChipProps {
  readonly children: string;
  /** What it is in full, where the text is short. */
  readonly title?: string;
  /** Where it can be taken away. */
  readonly onRemove?: () => void;
}

/** A short word of a set, such as a trait. */
export function Chip({ children, title, onRemove }: ChipProps) {
  return (
    <span className="chip" title={title}>
      {children}
      {onRemove && (
        <button type="button" aria-label={`Remove ${title ?? children}`} onClick={onRemove}>
          ×
        </button>
      )}
    </span>
  );
}
