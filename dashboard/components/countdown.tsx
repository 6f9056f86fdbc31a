import { useEffect, useState } from 'react';
import { formatTime } from './format';

/** Shows the time that is left until a moment, each second anew. */
export function Countdown({ to }: { readonly to: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={to} title={formatTime(to)}>
      {formatLeft(Date.parse(to) - now)}
    </time>
  );
}

/** Formats a time in ms as `2 d 3 h`, `1 h 5 min`, `4 min 10 s` or `12 s`. */
function formatLeft(ms: number): string {
  if (ms <= 0) return 'now';
  const seconds = Math.ceil(ms / 1_000);
  const parts: [amount: number, unit: string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  const shown = parts.slice(first, first + 2).filter(([amount]) => amount > 0);
  return `in ${shown.map(([amount, unit]) => `${amount} ${unit}`).join(' ')}`;
}
