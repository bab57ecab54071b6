/**
 * How long servers of tests keep an idle connection. Node's five seconds pass on a slow machine between two requests of a
 * story, which then sees another connection than it expects, or a request that meets the end of one.
 */
export const idleConnections = Object.freeze({ keepAliveTimeout: 600_000 });
