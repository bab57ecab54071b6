import assert from 'node:assert/strict';
import { parseTokenFile } from '../../../src/authn/token-file.ts';
import { staticTokenAuthenticator } from '../../../src/authn/static-token.ts';

const request = (bearerToken: string | undefined) => ({
  bearerToken,
  clientCertificate: undefined,
  rawHeaders: [],
  cancellation: { signal: AbortSignal.timeout(60_000) },
});

describe('the token file', () => {
  it('gives a user a line, with quoted fields, comments and blank lines', () => {
    const text = '# users\n\nt1,ann,1,"dev, ops"\r\nt2,bob,2\nt3,"o""neil, x",,solo\n';
    assert.deepEqual(
      parseTokenFile(text).map(({ token, user }) => [token, user.username, user.uid, user.groups]),
      [
        ['t1', 'ann', '1', ['dev', 'ops']],
        ['t2', 'bob', '2', []],
        ['t3', 'o"neil, x', '', ['solo']],
      ],
    );
  });

  const bad: Record<string, [string, RegExp]> = {
    'a token given twice': ['t,a,1\n\nt,b,2', /line 3: the token of line 1 is repeated/],
    'too few fields': ['t,a', /line 1: at least token, user and uid are needed, found 2/],
    'an empty token': [',a,1', /line 1: the token is empty/],
    'an empty user': ['# x\nt,,1', /line 2: the user is empty/],
    'an open quote': ['t,"a,1', /line 1: a quote is misplaced in field 2/],
    'text behind a quote': ['t,"a"b,1', /line 1: a quote is misplaced in field 2/],
  };
  for (const [what, [text, message]] of Object.entries(bad)) {
    it(`is refused with ${what}`, () => {
      assert.throws(() => parseTokenFile(text), message);
    });
  }

  it('is refused without repeating a token', () => {
    assert.throws(
      () => parseTokenFile('canary-secret,a'),
      (error: Error) => !error.message.includes('canary'),
    );
  });
});

describe('the static token authenticator', () => {
  const authenticator = staticTokenAuthenticator(parseTokenFile('secret,ann,7,"dev,ops"'));

  it('knows the user of a token', async () => {
    const result = await authenticator.authenticate(request('secret'));
    assert.deepEqual(result, { user: { username: 'ann', uid: '7', groups: ['dev', 'ops'], extra: {} } });
  });

  it('has no opinion on other tokens', async () => {
    for (const token of [undefined, '', 'Secret', 'secret ', '__proto__']) {
      assert.equal(await authenticator.authenticate(request(token)), undefined);
    }
  });
});
