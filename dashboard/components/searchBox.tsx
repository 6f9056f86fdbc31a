interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Searches while the user types. The key / focuses the box. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  return (
    <label className="inline-field">
      <span>{label}</span>
      <input
        type="search"
        className="search-box"
        placeholder="/"
        value={value}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}
