-- In the order in which writes lock them: the triggers of embeds write the accounts. In the other order, each write that
-- begins while this waits for the accounts would be in a deadlock with it.
ALTER TABLE "Embed" ADD COLUMN     "settings" TEXT;

-- AlterTable
ALTER TABLE "Account" ADD COLUMN     "settings" TEXT;
