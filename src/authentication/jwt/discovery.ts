import { z } from 'zod';
import { jsonOf, type Answer, type IdentityProvider } from '../identityProvider.js';
import { isSecureUrl } from '../secureUrl.js';

/** What is needed of what OpenID Connect Discovery says of an issuer. */
const configuration = z.object({
  issuer: z.string(),
  jwks_uri: z.string().refine(isSecureUrl, 'must be https, or on this machine'),
});

/** Where an issuer says that its keys are. @throws AuthenticationUnavailable where it does not say so */
export function discoverKeys(issuer: string, provider: IdentityProvider): Promise<URL> {
  const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  return provider.ask(url, { accept: 'application/json' }, (answer: Answer) => {
    const { issuer: named, jwks_uri: keys } = configuration.parse(jsonOf(answer));
    // the specification asks for this, so that nobody speaks for another issuer
    if (named !== issuer)
      throw new Error(`it is of the issuer ${named}, not of ${issuer}: correct jwt.issuer`);
    return new URL(keys);
  });
}
