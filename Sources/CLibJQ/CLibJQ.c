#include "CLibJQ.h"
