import { useId, type InputHTMLAttributes } from 'react';

interface CompletionInputProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'list' | 'value' | 'defaultValue' | 'onChange'
> {
  readonly label: string;
  /** What it has; without it the input keeps what is typed, from `standard` on. */
  readonly value?: string;
  readonly standard?: string;
  /** What the browser offers while one types; anything else may be typed as well. */
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}

/** A text with completion, such as the name of a trait. */
export function CompletionInput({
  label,
  value,
  standard,
  options,
  onChange,
  ...more
}: CompletionInputProps) {
  const id = useId();
  return (
    <>
      <input
        placeholder={label}
        {...more}
        list={id}
        aria-label={label}
        value={value}
        defaultValue={standard}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={id}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </>
  );
}
