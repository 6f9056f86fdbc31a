/** Why a viewer does not get a field: the roles or the project of the credentials do not allow it. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden';
}
