import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scene } from './scenes.js';

/** Guides whose first request makes what their drawing shows. */
const GUIDES: readonly Omit<Scene, 'mutations'>[] = [
  {
    name: 'gpus',
    title: 'A host with three physical GPUs below it: one whole, two divided into virtual ones of a type',
    roots: ['gpu-server'],
  },
  {
    name: 'smartnics',
    title: 'A host with a card below it that has cores, and two ports below the card',
    roots: ['nic-host'],
  },
  {
    name: 'licences',
    title: 'A provider of licences that shares them with one of two hosts',
    roots: ['licensed-host', 'licences', 'other-host'],
  },
];

/** A drawing for each of these guides, of the same name, as its request has it. */
export function guideScenes(root: string): Scene[] {
  return GUIDES.map((scene) => {
    const guide = readFileSync(join(root, `docs/guides/${scene.name}.md`), 'utf8');
    return { ...scene, mutations: [/```graphql\n(.*?)```/s.exec(guide)![1]] };
  });
}
