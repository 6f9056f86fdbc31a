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
  readonly onTerms: (terms: readonly string[]) => void;
}

/** A list of short texts: typed one by one, taken away one by one. */
export function TermList({
  label,
  placeholder = label,
  terms,
  options = [],
  pattern,
  hint,
  onTerms,
}: TermListProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [isMalformed, setIsMalformed] = useState(false);
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const term = text.trim();
    if (term === '') return;
    const isWrong = pattern !== undefined && !pattern.test(term);
    setIsMalformed(isWrong);
    if (isWrong) return;
    if (!terms.includes(term)) onTerms([...terms, term]);
    setText('');
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
        onChange={setText}
      />
      <button type="submit" className="small">
        Add<span className="visually-hidden"> to {label}</span>
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
