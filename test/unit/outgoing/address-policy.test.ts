import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../../src/outgoing/address-policy.js';

const nobody = createAddressPolicy([]);

describe('without an allowlist', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450:4001:830::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('permits the global unicast address %s', (address) => {
    expect(nobody.permits(address)).toBe(true);
    expect(nobody.lists(address)).toBe(false);
  });

  it.each([
    // private, loopback, link-local, this network
    ...[
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '127.0.0.1',
      '127.255.255.254',
      '0.0.0.0',
      '0.1.2.3',
    ],
    ...[
      '169.254.1.1',
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'fd12:3456::1',
      'fec0::1',
      '::127.0.0.1',
      '::8.8.8.8',
    ],
    // metadata services
    ...[
      '169.254.169.254',
      '100.100.100.200',
      '192.0.0.192',
      '168.63.129.16',
      'fd00:ec2::254',
      'fd20:ce::254',
    ],
    // CGNAT, multicast, broadcast, documentation, benchmark, reserved
    ...['100.64.0.1', '100.127.255.255', '224.0.0.1', '239.255.255.250', 'ff02::1', '255.255.255.255'],
    ...[
      '192.0.2.1',
      '198.51.100.1',
      '203.0.113.1',
      '198.18.0.1',
      '198.19.255.255',
      '240.0.0.1',
      '192.88.99.1',
    ],
    ...['2001:db8::1', '3fff::1', '100::1', '2001:2::1', '2001:10::1', '5f00::1', '4000::1'],
    // the same, embedded in IPv6
    ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:7f00:1'],
    ...['64:ff9b::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::8.8.8.8'],
    ...['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    // not addresses
    ...['', 'localhost', '127.1', '1.2.3.4.5'],
  ])('refuses %s', (address) => {
    expect(nobody.permits(address)).toBe(false);
  });
});

describe('with an allowlist', () => {
  const policy = createAddressPolicy(['127.0.0.0/8', '::1/128', '10.1.0.0/16']);

  it.each(['127.0.0.1', '127.9.9.9', '::1', '10.1.2.3', '::ffff:127.0.0.1'])(
    'permits the listed address %s',
    (address) => {
      expect(policy.lists(address)).toBe(true);
      expect(policy.permits(address)).toBe(true);
    },
  );

  it.each(['10.2.0.1', '::2', '64:ff9b::127.0.0.1', '192.168.0.1'])('still refuses %s', (address) => {
    expect(policy.permits(address)).toBe(false);
  });

  it('treats a network in IPv4-mapped notation as the IPv4 network', () => {
    const mapped = createAddressPolicy(['::ffff:10.1.0.0/112']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', '10.2.0.1'].map(mapped.lists)).toEqual([true, true, false]);
  });

  it.each([
    ...['127.0.0.1', 'localhost', '10.0.0.0/33', '', 'x/8'],
    ...[
      '10/8',
      '010.0.0.0/8',
      '127.1/8',
      '0x7f.0.0.0/8',
      'fe80::1%eth0/128',
      '::1/129',
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
    ],
  ])('refuses the entry %j', (entry) => {
    expect(() => createAddressPolicy([entry])).toThrow(TypeError);
  });
});
