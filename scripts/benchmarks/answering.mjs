// Answers every push with 200 and keeps nothing: the least that a provider's own stand-in for APNs does.
//
// Usage: node answering.mjs PORT KEY-FILE CERTIFICATE-FILE

import http2 from 'node:http2';
import { readFileSync } from 'node:fs';

const [port, key, cert] = process.argv.slice(2);
const server = http2.createSecureServer({
  key: readFileSync(key), cert: readFileSync(cert), settings: { maxConcurrentStreams: 1000 },
});
server.on('stream', (stream) => {
  stream.on('error', () => {});
  stream.resume();
  stream.on('end', () => {
    stream.respond({ ':status': 200 });
    stream.end();
  });
});
server.listen(Number(port), '127.0.0.1');
