// The Objective-C of Onegini's topic guide “Mobile authentication with OTP”: lines that begin with //= stand for the guide's own code. A compiler
// checks it against the header that the stub in Swift has for Objective-C.
#import <Foundation/Foundation.h>
#import "OneginiSDKiOS-Swift.h"

@interface Portal : NSObject <ONGMobileAuthRequestDelegate>
@property(nonatomic, copy) void (^confirmation)(BOOL confirmRequest);
@property(nonatomic, strong) NSString *shown;
@property(nonatomic) NSInteger failure;
@end

@implementation Portal

- (void)scanned:(NSString *)otpRequest delegate:(id<ONGMobileAuthRequestDelegate>)delegate {
    //= objc: passing the request
    }
}

// “It's only required to enroll for mobile authentication to use OTP. To verify if the user was already enrolled, …”
- (BOOL)isEnrolled:(ONGUserProfile *)user {
    return [[ONGUserClient sharedInstance] isUserEnrolledForMobileAuth:user];
}

//= objc: confirmation
{
    // “From those objects you can get the following information …”
    ONGUserProfile *user = request.userProfile;
    NSString *type = request.type, *transaction = request.transactionId;
    self.shown = user && type && transaction ? request.message : nil;
    self.confirmation = confirmation;
}

//= objc: success
{
    self.shown = nil;
}

//= objc: failure
{
    //= objc: error cases
            self.failure = error.code;
    }
}

@end
