import Commands
import Glibc

// All output is written and there is nothing to clean up, so _exit saves the time of exit handlers.
_exit(Run.main())
