/** A page for newcomers and the sections that have commands. */
type FollowedPage = readonly [page: string, sections: readonly string[]];

/** The pages whose commands the tests run as they are printed, in a folder and a home of their own. */
export const followedPages: readonly FollowedPage[] = [
  [
    'getting-started',
    ['Install', 'Start', 'The first object', 'A kind of your own', 'An access rule', 'Look around', 'Stop'],
  ],
  ['upgrading', ['The first upgrade', 'The way back']],
  ['testing', ['The first test']],
  ['writing-an-operator', ['Set up', 'The definition', 'Tests', 'Run it']],
  [
    'identity',
    [
      'A server with all of it',
      'Static tokens',
      'Client certificates',
      'Service accounts',
      'OpenID providers',
      'A webhook that knows tokens',
      'A front proxy',
      'Impersonation',
    ],
  ],
  ['your-own-api', ['A definition with rules', 'A webhook']],
];
