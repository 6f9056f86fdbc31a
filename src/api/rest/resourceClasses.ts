import { ResourceClassInUse, StandardIsImmutable } from '../../model/rejections.js';
import { createResourceClass, deleteResourceClass, renameResourceClass } from '../../store/ledger/catalog.js';
import { readResourceClasses } from '../loaders/catalog.js';
import { latestChange, type RestAnswer, type RestRequest } from './answer.js';
import { naming, RestError } from './restErrors.js';
import { checkBody } from './schemaCheck.js';
import { CUSTOM_CLASS, type CustomClassBody } from './schemas/catalog.js';

export async function list({ context, mount }: RestRequest): Promise<RestAnswer> {
  const classes = await readResourceClasses(context.database);
  return {
    status: 200,
    body: { resource_classes: classes.map(({ name }) => bodyOf(name, mount)) },
    lastModified: latestChange(classes),
  };
}

function pathOf(name: string): string {
  return `/resource_classes/${name}`;
}

function bodyOf(name: string, mount: string): object {
  return { name, links: [{ rel: 'self', href: `${mount}${pathOf(name)}` }] };
}

export async function show({ params: { name }, context, mount }: RestRequest): Promise<RestAnswer> {
  const found = await readResourceClasses(context.database, { nameIn: [name] });
  if (found.length === 0) throw new RestError(404, `No such resource class ${name}.`);
  return { status: 200, body: bodyOf(name, mount), lastModified: latestChange(found) };
}

export async function create({ body, context }: RestRequest<CustomClassBody>): Promise<RestAnswer> {
  const { name, created } = await createResourceClass(context.ledger, body);
  if (!created) throw new RestError(409, `Conflicting resource class already exists: ${name}`);
  return { status: 201, location: pathOf(name) };
}

/** Creates a class unless it exists. */
export async function ensure({ params: { name }, context }: RestRequest): Promise<RestAnswer> {
  await checkBody({ name }, CUSTOM_CLASS);
  const { created } = await createResourceClass(context.ledger, { name });
  return { status: created ? 201 : 204, location: pathOf(name) };
}

export async function rename(request: RestRequest<CustomClassBody>): Promise<RestAnswer> {
  const { params, body, context, mount } = request;
  const work = renameResourceClass(context.ledger, { name: params.name, newName: body.name });
  const isRenamed = await naming(work, (error) =>
    error instanceof StandardIsImmutable ? `Cannot update standard resource class ${params.name}` : null,
  );
  if (!isRenamed) throw new RestError(409, `Resource class already exists: ${body.name}`);
  return { status: 200, body: bodyOf(body.name, mount) };
}

export async function remove({ params: { name }, context }: RestRequest): Promise<RestAnswer> {
  const unable = 'Error in delete resource class:';
  await naming(deleteResourceClass(context.ledger, { name }), (error) => {
    if (error instanceof ResourceClassInUse)
      return new RestError(409, `${unable} Class is in use in inventory: ${name}`);
    return error instanceof StandardIsImmutable
      ? `${unable} Cannot delete standard resource class ${name}.`
      : null;
  });
  return { status: 204 };
}
