import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scene } from './scenes.js';

/** Guides. The first request that names the first root makes what the drawing shows. */
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
    const requests = Array.from(guide.matchAll(/```graphql\n(.*?)```/gs), ([, request]) => request);
    return { ...scene, mutations: [requests.find((request) => request.includes(`"${scene.roots[0]}"`))!] };
  });
}
