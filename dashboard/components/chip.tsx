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
        <button
          type="button"
          aria-label={`Remove ${title ?? children}`}
          onClick={({ detail, currentTarget }) => {
            const field = currentTarget.closest('.chips')?.parentElement?.querySelector('input');
            onRemove();
            if (detail === 0) field?.focus(); // a key removed the focused button
          }}
        >
          ×
        </button>
      )}
    </span>
  );
}

/** The entries of a set, or `none`. */
export function Chips({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return <p className="muted">none</p>;
  return (
    <div className="chips">
      {names.map((name) => (
        <Chip key={name}>{name}</Chip>
      ))}
    </div>
  );
}
