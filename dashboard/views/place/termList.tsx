import { useId, useState, type FormEvent } from 'react';
import { Chip } from '../../components/chip';
import { CompletionInput } from '../../components/completionInput';

interface TermListProps {
  readonly label: string;
  /** What the empty field says, where the label is long. */
  readonly placeholder?: string;
  readonly terms: readonly string[];
  /** What completion offers. */
  readonly options?: readonly string[];
  /** What a term looks like; anything without it. */
  readonly pattern?: RegExp;
  /** How terms are written. */
  readonly hint: string;
  /** Whether a term takes the place of the one before. */
  readonly isSingle?: boolean;
  readonly onTerms: (terms: readonly string[]) => void;
  /** What is typed, as it is typed. */
  readonly onText?: (text: string) => void;
}

/** A list of short texts: typed one by one, taken away one by one. */
export function TermList({
  label,
  placeholder = label,
  terms,
  options = [],
  pattern,
  hint,
  isSingle = false,
  onTerms,
  onText,
}: TermListProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [isMalformed, setIsMalformed] = useState(false);
  const type = (next: string): void => {
    setText(next);
    onText?.(next);
  };
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const term = text.trim();
    if (term === '') return;
    const isWrong = pattern !== undefined && !pattern.test(term);
    setIsMalformed(isWrong);
    if (isWrong) return;
    if (!terms.includes(term)) onTerms(isSingle ? [term] : [...terms, term]);
    type('');
  };
  return (
    <form className="term-list" onSubmit={add}>
      <CompletionInput
        label={label}
        placeholder={placeholder}
        value={text}
        options={options}
        aria-invalid={isMalformed}
        aria-describedby={id}
        onChange={type}
      />
      <button type="submit" className="small">
        {isSingle ? 'Set' : 'Add'}
        <span className="visually-hidden"> {isSingle ? label : `to ${label}`}</span>
      </button>
      <p id={id} className={isMalformed ? 'hint failed' : 'visually-hidden'}>
        {hint}
      </p>
      {terms.length > 0 && (
        <div className="chips">
          {terms.map((term) => (
            <Chip key={term} onRemove={() => onTerms(terms.filter((other) => other !== term))}>
              {term}
            </Chip>
          ))}
        </div>
      )}
    </form>
  );
}
