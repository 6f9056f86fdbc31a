import { Link } from 'wouter';

/** Links to a project. The id is null if another program set no project. */
export function ProjectLink({ id }: { readonly id: string | null }) {
  return id === null ? '-' : <Link href={`/projects/${encodeURIComponent(id)}`}>{id}</Link>;
}
