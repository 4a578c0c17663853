import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { onTestFinished } from 'vitest';

const TYPES = { 1: 'A', 28: 'AAAA' } as const;
const CLASS_IN = 1;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/** Addresses by question, such as `A site.example`. A `silent` question gets no response. */
export type Zone = Readonly<Record<string, readonly string[] | 'silent'>>;

/** Opens a name server on loopback (RFC 1035 section 4), closed at the end of the test. */
export async function openNameServer(zone: Zone) {
  const queries: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const questionEnd = query.indexOf(0, 12) + 5;
    const type = TYPES[query.readUInt16BE(questionEnd - 4) as keyof typeof TYPES];
    const question = `${type} ${readName(query)}`;
    queries.push(question);
    const addresses = zone[question];
    if (addresses !== 'silent') socket.send(createResponse(query, questionEnd, addresses), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, queries };
}

function readName(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12, length = query[at] ?? 0; length > 0; at += length + 1, length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
  }
  return labels.join('.').toLowerCase();
}

function createResponse(query: Buffer, questionEnd: number, addresses: readonly string[] | undefined): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (addresses ? NO_ERROR : NO_SUCH_NAME), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses?.length ?? 0, 6);
  const records = (addresses ?? []).map((text) => {
    const address = isIPv6(text) ? toIpv6Bytes(text) : Buffer.from(text.split('.').map(Number));
    const record = Buffer.alloc(12);
    // pointer to the name in the question
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(address.length === 16 ? 28 : 1, 2);
    record.writeUInt16BE(CLASS_IN, 4);
    record.writeUInt16BE(address.length, 10);
    return Buffer.concat([record, address]);
  });
  return Buffer.concat([header, query.subarray(12, questionEnd), ...records]);
}

function toIpv6Bytes(text: string): Buffer {
  const [head = '', tail = ''] = text.split('::').map((part) => part.split(':').filter(Boolean));
  const groups = [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
