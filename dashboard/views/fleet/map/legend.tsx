import { useTheme } from '../../../components/theme';
import { OVER, SCALES } from './scale';

/** What the colours of the map mean. */
export function Legend() {
  const colours = SCALES[useTheme()];
  return (
    <div className="legend" role="img" aria-label="Colours from 0 to 100 percent in use, and over capacity">
      <span>0%</span>
      <span className="legend-steps">
        {colours.slice(0, OVER).map((colour) => (
          <i key={colour} style={{ background: colour }} />
        ))}
      </span>
      <span>100%</span>
      <i className="legend-over" style={{ background: colours[OVER] }} />
      <span>over</span>
    </div>
  );
}
