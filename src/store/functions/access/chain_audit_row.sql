-- Adds a row of the audit log to the end of the chain of its workspace. The caller holds the lock of the
-- chain.
--
-- Returns: void

-- Encodes a value for the hashed text: its length in bytes, a colon and the value. Null is a hyphen. A comma
-- ends the field.
CREATE OR REPLACE FUNCTION audit_field(v text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(octet_length(convert_to(v, 'UTF8')) || ':' || v, '-') || ','
$$;

-- SHA-256 of a row at its place in the chain. docs/security.md describes the text that is hashed.
CREATE OR REPLACE FUNCTION audit_hash(a audit_log, place bigint, former bytea) RETURNS bytea LANGUAGE sql
STABLE AS $$
  SELECT sha256(convert_to(concat(audit_field('trunkline-audit-1'), audit_field(encode(former, 'hex')),
    audit_field(a.workspace_id::text), audit_field(place::text), audit_field(a.id::text),
    audit_field(wire_time(a.created_at)), audit_field(a.actor_type), audit_field(a.actor_id::text),
    audit_field(a.action), audit_field(a.object_type), audit_field(a.object_id::text),
    audit_field(a.address)), 'UTF8'))
$$;

CREATE OR REPLACE FUNCTION chain_audit_row(a audit_log) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  place bigint;
  former bytea;
BEGIN
  SELECT c.number + 1, c.hash INTO place, former FROM audit_chain c
  WHERE c.workspace_id = a.workspace_id ORDER BY c.number DESC LIMIT 1;
  place := coalesce(place, 1);
  former := coalesce(former, decode(repeat('00', 32), 'hex'));
  INSERT INTO audit_chain (workspace_id, number, row_id, previous_hash, hash)
  VALUES (a.workspace_id, place, a.id, former, audit_hash(a, place, former));
END $$;
