-- Runs statement by statement.

-- The service writes the words of embeds that have none yet, because SQL cannot fold the case of all scripts. The row of this
-- migration says that it is done.
