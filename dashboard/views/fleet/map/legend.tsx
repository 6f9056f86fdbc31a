import { useTheme } from '../../../components/theme';
import { OVER, SCALES } from './scale';

/** The meaning of the colours and marks of the map. */
export function Legend() {
  const colours = SCALES[useTheme()];
  return (
    <div
      className="legend"
      role="img"
      aria-label="Colours from 0 to 100 percent in use, and over capacity; a cross: in maintenance"
    >
      <span>0%</span>
      <span className="legend-steps">
        {colours.slice(0, OVER).map((colour) => (
          <i key={colour} style={{ background: colour }} />
        ))}
      </span>
      <span>100%</span>
      <i className="legend-over" style={{ background: colours[OVER] }} />
      <span>over</span>
      <span className="legend-over">✕ in maintenance</span>
    </div>
  );
}
