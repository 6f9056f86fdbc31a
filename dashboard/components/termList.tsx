import { useId, useState, type FormEvent } from 'react';
import { Chip } from './chip';
import { CompletionInput } from './completionInput';
import { afterPress } from './press';

export interface TermListProps {
  readonly label: string;
  /** Continues the label for screen readers. */
  readonly of?: string;
  /** An example of a term. */
  readonly placeholder?: string;
  readonly terms: readonly string[];
  /** The terms that completion offers. */
  readonly options?: readonly string[];
  /** The format of a term. Any text is allowed without it. */
  readonly pattern?: RegExp;
  /** Returns what is wrong with a term, or null. Defaults to a check of the pattern. */
  readonly faultOf?: (term: string) => string | null;
  /** The format of a term in words. */
  readonly hint: string;
  /** Whether a new term replaces the previous one. */
  readonly isSingle?: boolean;
  readonly onTerms: (terms: readonly string[]) => void;
  /** Called with the text while it is typed. */
  readonly onText?: (text: string) => void;
}

/**
 * A list of short texts that the user adds and removes one by one. A typed text is added as soon as
 * its input loses the focus.
 */
export function TermList({
  label,
  of = '',
  placeholder,
  terms,
  options = [],
  pattern,
  hint,
  faultOf = (term) =>
    pattern === undefined || pattern.test(term) ? null : `"${term}" has another form. ${hint}`,
  isSingle = false,
  onTerms,
  onText,
}: TermListProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const type = (next: string): void => {
    setText(next);
    onText?.(next);
  };
  const add = (): void => {
    const term = text.trim();
    const found = term === '' ? null : faultOf(term);
    setFault(found);
    if (found !== null || term === '') return;
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
        aria-invalid={fault !== null}
        aria-describedby={id}
        onChange={type}
        onBlur={() => afterPress(add)}
      />
      <button type="submit" className="small" tabIndex={-1}>
        {isSingle ? 'Set' : 'Add'}
        <span className="visually-hidden"> {`${isSingle ? '' : 'to '}${label}${of}`}</span>
      </button>
      <p id={id} className={fault === null ? 'visually-hidden' : 'hint failed'}>
        {fault ?? hint}
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
