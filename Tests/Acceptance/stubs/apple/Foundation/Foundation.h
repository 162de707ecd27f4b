// As much of Apple's Foundation as the stubs' headers and the guides' Objective-C need. For a compiler that checks and makes nothing; for tests alone.
#include <stddef.h>
#include <stdint.h>
typedef signed char BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)
typedef long NSInteger;
typedef unsigned long NSUInteger;

__attribute__((objc_root_class)) @interface NSObject
+ (instancetype)alloc;
- (instancetype)init;
@end
@interface NSString : NSObject
@end
@interface NSError : NSObject
@property (readonly) NSInteger code;
@end
@interface NSURL : NSObject
@end
@interface NSData : NSObject
@end
@interface NSDate : NSObject
@end
@interface NSArray : NSObject
@end
@interface NSSet : NSObject
@end
@interface NSDictionary : NSObject
@end
