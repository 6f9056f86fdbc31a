import { useRef, useState } from 'react';

interface CopyTextProps {
  /** The name of the text, such as "GraphQL". */
  readonly label: string;
  readonly text: string;
}

/**
 * Shows a text with a copy button. Without TLS browsers deny access to the clipboard, so the button
 * only selects the text.
 */
export function CopyText({ label, text }: CopyTextProps) {
  const content = useRef<HTMLPreElement>(null);
  const [done, setDone] = useState('');
  const copy = async (): Promise<void> => {
    getSelection()?.selectAllChildren(content.current!);
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setDone(isCopied ? 'Copied.' : 'Selected.');
  };
  return (
    <div className="copy-text">
      <pre ref={content} tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <button type="button" className="small" onClick={() => void copy()}>
        Copy<span className="visually-hidden"> {label}</span>
      </button>
      <span className="muted" role="status">
        {done}
      </span>
    </div>
  );
}
