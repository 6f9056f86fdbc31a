// Run by npm after it has packed the package. Left in place, the file would take precedence over package-lock.json.
import { removeShrinkwrap } from './delivery/shrinkwrap.mjs';

removeShrinkwrap();
