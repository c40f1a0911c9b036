import Commands
import Glibc

// Everything is written by then, and nothing else has to be cleared up: _exit saves the time for it.
_exit(Run.main())
