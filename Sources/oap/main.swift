import Commands
import Glibc

exit(Run.main())
