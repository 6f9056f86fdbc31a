interface ChipProps {
  readonly children: string;
  /** The full text, if `children` is an abbreviation. */
  readonly title?: string;
  /** Called when the user removes the chip. If it is omitted, the chip has no button. */
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
