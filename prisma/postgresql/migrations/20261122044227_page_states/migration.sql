-- CreateEnum
CREATE TYPE "PageState" AS ENUM ('PENDING', 'SHOWN', 'NO_ARTICLE', 'NEEDS_BROWSER', 'FORBIDDEN', 'GONE', 'NOT_A_PAGE', 'TOO_LARGE', 'UNREACHABLE', 'NOT_ALLOWED');

-- AlterTable
ALTER TABLE "Page" ADD COLUMN     "failure" "PageState",
ADD COLUMN     "failureReason" TEXT,
ADD COLUMN     "reason" TEXT,
ADD COLUMN     "site" TEXT,
ADD COLUMN     "state" "PageState",
ADD COLUMN     "title" TEXT,
ADD COLUMN     "triedAt" TIMESTAMP(3);

-- Articles without a state cannot be told apart from cards; they are fetched again.
TRUNCATE "Page";
