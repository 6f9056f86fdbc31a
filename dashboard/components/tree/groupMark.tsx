interface GroupMarkProps {
  /** Of the group among those of the request, which gives the mark its colour. */
  readonly place: number;
  readonly suffix: string;
}

/** How many colours there are (tree.css); they begin anew behind the last. */
const COLOURS = 6;

/** The class of whatever has the colour of a group. */
export const groupColour = (place: number): string => `group-${place % COLOURS}`;

/** Names a request group, in its colour. */
export function GroupMark({ place, suffix }: GroupMarkProps) {
  return <span className={`group-mark ${groupColour(place)}`}>{suffix === '' ? 'unsuffixed' : suffix}</span>;
}
