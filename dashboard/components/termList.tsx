import { useId, useState, type FormEvent } from 'react';
import { Chip } from './chip';
import { CompletionInput } from './completionInput';
import { afterPress } from './press';

export interface TermListProps {
  readonly label: string;
  /** The thing that the terms belong to, for those who do not see the page. */
  readonly of?: string;
  /** An example of a term. */
  readonly placeholder?: string;
  readonly terms: readonly string[];
  /** The terms that completion offers. */
  readonly options?: readonly string[];
  /** The form of a term; anything without it. */
  readonly pattern?: RegExp;
  /** The form of a term in words. */
  readonly hint: string;
  /** Whether a term replaces the one before. */
  readonly isSingle?: boolean;
  readonly onTerms: (terms: readonly string[]) => void;
  /** Called with the text while it is typed. */
  readonly onText?: (text: string) => void;
}

/** A list of short texts: typed one by one, removed one by one. A typed text counts as soon as its input is left. */
export function TermList({
  label,
  of = '',
  placeholder,
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
  const add = (): void => {
    const term = text.trim();
    const isWrong = term !== '' && pattern !== undefined && !pattern.test(term);
    setIsMalformed(isWrong);
    if (isWrong || term === '') return;
    if (!terms.includes(term)) onTerms(isSingle ? [term] : [...terms, term]);
    type('');
  };
  return (
    <form
      className="term-list"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        add();
      }}
    >
      <CompletionInput
        label={label}
        of={of}
        placeholder={placeholder}
        value={text}
        options={options}
        aria-invalid={isMalformed}
        aria-describedby={id}
        onChange={type}
        onBlur={() => afterPress(add)}
      />
      <button type="submit" className="small" tabIndex={-1}>
        {isSingle ? 'Set' : 'Add'}
        <span className="visually-hidden"> {`${isSingle ? '' : 'to '}${label}${of}`}</span>
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
