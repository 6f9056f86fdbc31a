import { useId, type InputHTMLAttributes } from 'react';

interface CompletionInputProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'list' | 'value' | 'defaultValue' | 'onChange'
> {
  readonly label: string;
  /** Continues the label for screen readers. */
  readonly of?: string;
  /** The text. If it is omitted, the input keeps its own text, starting with `standard`. */
  readonly value?: string;
  readonly standard?: string;
  /** The texts that the browser suggests. Other texts are allowed, too. */
  readonly options?: readonly string[];
  readonly onChange?: (value: string) => void;
}

/** A labelled text input with completion, for example for the name of a trait. */
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
