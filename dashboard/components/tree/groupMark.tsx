interface GroupMarkProps {
  /** The index of the group in the request. It selects the colour of the mark. */
  readonly place: number;
  readonly suffix: string;
}

/** The number of colours in tree.css. Later groups reuse them in the same order. */
const COLOURS = 6;

/** Returns the CSS class for the colour of a group. */
export const groupColour = (place: number): string => `group-${place % COLOURS}`;

/** Shows the suffix of a request group in the colour of the group. */
export function GroupMark({ place, suffix }: GroupMarkProps) {
  return <span className={`group-mark ${groupColour(place)}`}>{suffix === '' ? 'unsuffixed' : suffix}</span>;
}
