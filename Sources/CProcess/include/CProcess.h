#ifndef OAP_CPROCESS_H
#define OAP_CPROCESS_H

/// Keeps the memory of this process from core dumps and from other processes of the same user (prctl(2),
/// `PR_SET_DUMPABLE`). A program that it starts is not affected.
void oap_hide_memory(void);

/// Makes sure that a program which is started from now on gets none of the descriptors that are open now but 0, 1 and 2.
void oap_keep_descriptors(void);

#endif
