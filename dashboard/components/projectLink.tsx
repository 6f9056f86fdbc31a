import { Link } from 'wouter';

/** Links to a project. Null: another program set none. */
export function ProjectLink({ id }: { readonly id: string | null }) {
  return id === null ? '-' : <Link href={`/projects/${encodeURIComponent(id)}`}>{id}</Link>;
}
