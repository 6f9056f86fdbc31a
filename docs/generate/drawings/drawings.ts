import { pictureOf, type Ask } from './answers.js';
import { guideScenes } from './guideScenes.js';
import { SCENES } from './scenes.js';
import { svgOf } from './svg.js';

/** Where the drawings are, from the folder of the repository on. */
export const DRAWINGS = 'docs/images';

/** Every drawing, from the answers of a server that was empty: names of files, and what they contain. */
export async function drawings(root: string, ask: Ask): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const scene of [...SCENES, ...guideScenes(root)])
    files.set(`${scene.name}.svg`, svgOf(scene.title, await pictureOf(scene, ask)));
  return files;
}
