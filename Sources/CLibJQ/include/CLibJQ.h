#ifndef OAP_CLibJQ_H
#define OAP_CLibJQ_H
#endif
