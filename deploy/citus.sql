-- On the coordinator, in the empty database, after CREATE EXTENSION citus in the database of the same name on each server:
--   psql -d embeds -f deploy/citus.sql
-- The servers must be able to connect to each other: pg_hba.conf, and citus.node_conninfo for TLS.
SELECT citus_set_coordinator_host('coordinator.example', 5432);
SELECT citus_add_node('worker-1.example', 5432);
SELECT citus_add_node('worker-2.example', 5432);
