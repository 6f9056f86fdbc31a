import { useId, type InputHTMLAttributes } from 'react';

interface CompletionInputProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'list' | 'value' | 'defaultValue' | 'onChange'
> {
  readonly label: string;
  /** Continues the label for those who do not see the page. */
  readonly of?: string;
  /** The text; without it the input keeps what is typed, from `standard` on. */
  readonly value?: string;
  readonly standard?: string;
  /** The texts that the browser offers; others may be typed, too. */
  readonly options?: readonly string[];
  readonly onChange?: (value: string) => void;
}

/** A text below its label, with completion, such as the name of a trait. */
export function CompletionInput({
  label,
  of = '',
  value,
  standard,
  options = [],
  onChange,
  ...more
}: CompletionInputProps) {
  const id = useId();
  return (
    <label className="field">
      <span>
        {label}
        {of !== '' && <span className="visually-hidden">{of}</span>}
      </span>
      <input
        {...more}
        list={options.length > 0 ? id : undefined}
        value={value}
        defaultValue={standard}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange?.(event.currentTarget.value)}
      />
      {options.length > 0 && (
        <datalist id={id}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </label>
  );
}
