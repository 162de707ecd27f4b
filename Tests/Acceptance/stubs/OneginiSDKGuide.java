// The app of Onegini's topic guide “Mobile authentication with OTP” in Java, written anew from its steps, on the stub in Kotlin, and a user at its
// keyboard: lines of standard input.
package guide;

import android.net.Uri;
import com.onegini.mobile.sdk.android.client.OneginiClient;
import com.onegini.mobile.sdk.android.client.OneginiClientBuilder;
import com.onegini.mobile.sdk.android.client.UserClient;
import com.onegini.mobile.sdk.android.handlers.*;
import com.onegini.mobile.sdk.android.handlers.action.OneginiCustomRegistrationAction;
import com.onegini.mobile.sdk.android.handlers.error.*;
import com.onegini.mobile.sdk.android.handlers.request.*;
import com.onegini.mobile.sdk.android.handlers.request.callback.*;
import com.onegini.mobile.sdk.android.model.OneginiAppToWebSingleSignOn;
import com.onegini.mobile.sdk.android.model.OneginiCustomIdentityProvider;
import com.onegini.mobile.sdk.android.model.OneginiIdentityProvider;
import com.onegini.mobile.sdk.android.model.entity.*;
import java.io.*;
import java.util.*;

public final class OneginiSDKGuide {
    private static synchronized void show(String line) { System.out.println(line); System.out.flush(); }

    static final class CreatePin implements OneginiCreatePinRequestHandler {
        OneginiPinCallback callback;
        private int length;
        @Override public void startPinCreation(UserProfile userProfile, OneginiPinCallback callback, int pinLength) {
            this.callback = callback;
            length = pinLength;
            show("choose a PIN of " + pinLength + " 0");
        }
        @Override public void onNextPinCreationAttempt(OneginiPinValidationError error) { show("choose a PIN of " + length + " " + error.getErrorType().getCode()); }
        @Override public void finishPinCreation() { callback = null; }
    }

    static final class AskPin implements OneginiPinAuthenticationRequestHandler {
        OneginiPinCallback callback;
        @Override public void startAuthentication(UserProfile userProfile, OneginiPinCallback callback, AuthenticationAttemptCounter attempts) {
            this.callback = callback;
            show("PIN? " + attempts.getRemainingAttempts() + " 0");
        }
        @Override public void onNextAuthenticationAttempt(AuthenticationAttemptCounter attempts) { show("PIN? " + attempts.getRemainingAttempts() + " 9009"); }
        @Override public void finishAuthentication() { callback = null; }
    }

    static final class Browse implements OneginiBrowserRegistrationRequestHandler {
        OneginiBrowserRegistrationCallback callback;
        @Override public void startRegistration(Uri url, OneginiBrowserRegistrationCallback registrationCallback) {
            callback = registrationCallback;
            show("open " + url);
        }
    }

    static final class Bring implements OneginiCustomRegistrationAction {
        OneginiCustomRegistrationCallback callback;
        @Override public void finishRegistration(OneginiCustomRegistrationCallback callback, CustomInfo customInfo) {
            this.callback = callback;
            show("bring data " + (customInfo == null ? 0 : customInfo.getStatus()));
        }
    }

    /** An identity provider of the app's own. */
    record OwnProvider(OneginiCustomRegistrationAction action) implements OneginiCustomIdentityProvider {
        @Override public String getId() { return "understudy-direct"; }
        @Override public OneginiCustomRegistrationAction getRegistrationAction() { return action; }
    }

    static final class Confirm implements OneginiMobileAuthWithOtpRequestHandler, OneginiMobileAuthWithPushRequestHandler {
        OneginiAcceptDenyCallback callback;
        @Override public void startAuthentication(OneginiMobileAuthenticationRequest request, OneginiAcceptDenyCallback callback) {
            this.callback = callback;
            show("confirm? " + request.getMessage() + " (" + request.getType() + ")");
        }
        @Override public void finishAuthentication() { callback = null; }
    }

    private final CreatePin createPin = new CreatePin();
    private final AskPin askPin = new AskPin();
    private final Browse browse = new Browse();
    private final Confirm confirm = new Confirm();
    private final Bring bring = new Bring();
    private final OneginiClient oneginiClient;

    private OneginiSDKGuide(String address, File file) {
        oneginiClient = new OneginiClientBuilder(null, createPin, askPin)
            .setBrowserRegistrationRequestHandler(browse)
            .setMobileAuthWithOtpRequestHandler(confirm)
            .setMobileAuthWithPushRequestHandler(confirm)
            .addCustomIdentityProvider(new OwnProvider(bring))
            .connect(address, "com.example.understudy", "1.0.0", "understudy-android-1.0.0", file)
            .build();
    }

    private UserClient userClient() { return oneginiClient.getUserClient(); }
    private UserProfile first() { return userClient().getUserProfiles().iterator().next(); }

    private void start() {
        oneginiClient.start(new OneginiInitializationHandler() {
            @Override public void onSuccess(Set<UserProfile> removedUserProfiles) { show("started true " + userClient().getUserProfiles().size()); }
            @Override public void onError(OneginiInitializationError error) { show("failed " + error.getErrorType().getCode()); }
        });
    }

    private void register(OneginiIdentityProvider provider, String[] scopes) {
        userClient().registerUser(provider, scopes, new OneginiRegistrationHandler() {
            @Override public void onSuccess(UserProfile userProfile, CustomInfo customInfo) {
                show("registered " + userProfile.getProfileId().length() + (provider == null ? "" : " " + (customInfo == null ? null : customInfo.getStatus())));
            }
            @Override public void onError(OneginiRegistrationError error) { show("not registered " + error.getErrorType().getCode()); }
        });
    }

    private void login() {
        userClient().authenticateUser(first(), new OneginiAuthenticationHandler() {
            @Override public void onSuccess(UserProfile userProfile, CustomInfo customInfo) { show("authenticated"); }
            @Override public void onError(OneginiAuthenticationError error) { show("not authenticated " + error.getErrorType().getCode()); }
        });
    }

    private void changePin() {
        userClient().changePin(new OneginiChangePinHandler() {
            @Override public void onSuccess() { show("PIN changed"); }
            @Override public void onError(OneginiChangePinError error) { show("PIN not changed " + error.getErrorType().getCode()); }
        });
    }

    // Step of the guide: the user has to be enrolled, and authenticated.
    private void enroll() {
        userClient().enrollUserForMobileAuth(new OneginiMobileAuthEnrollmentHandler() {
            @Override public void onSuccess() { show("enrolled"); }
            @Override public void onError(OneginiMobileAuthEnrollmentError error) { show("not enrolled " + error.getErrorType().getCode()); }
        });
    }

    // Step of the guide: the camera has read a code. Android's SDK has no question whether it can be handled.
    private void scanned(String otp, boolean asked) {
        userClient().handleMobileAuthWithOtp(otp, new OneginiMobileAuthWithOtpHandler() {
            @Override public void onSuccess() { show("handled"); }
            @Override public void onError(OneginiMobileAuthWithOtpError error) {
                failure = error.getErrorType();
                show(asked && failure == OneginiMobileAuthWithOtpError.Type.NOT_HANDLEABLE ? "cannot handle" : "not handled " + failure.getCode());
            }
        });
    }

    private OneginiMobileAuthWithOtpError.Type failure;

    // The cases of the guide's switch.
    private String why() {
        return switch (failure) {
            case DEVICE_DEREGISTERED -> "DeviceDeregistered";
            case USER_DEREGISTERED -> "UserDeregistered";
            case NETWORK_CONNECTIVITY_PROBLEM -> "NetworkConnectivityFailure";
            case SERVER_NOT_REACHABLE -> "ServerNotReachable";
            case MOBILE_AUTHENTICATION_REQUEST_NOT_FOUND -> "NotFound";
            case NOT_HANDLEABLE -> "NotHandleable";
            case USER_DISENROLLED -> "UserDisenrolled";
            case MOBILE_AUTHENTICATION_NOT_ENROLLED -> "NotEnrolled";
            case USER_NOT_AUTHENTICATED -> "UserNotAuthenticated";
            default -> "another error";
        };
    }

    private void logout() {
        userClient().logout(new OneginiLogoutHandler() {
            @Override public void onSuccess() { show("logged out true"); }
            @Override public void onError(OneginiLogoutError error) { show("logged out false"); }
        });
    }

    private void leave() {
        userClient().deregisterUser(first(), new OneginiDeregisterUserProfileHandler() {
            @Override public void onSuccess() { show("left true"); }
            @Override public void onError(OneginiDeregistrationError error) { show("left false"); }
        });
    }

    private void pushes() {
        userClient().enrollUserForMobileAuthWithPush("token", new OneginiMobileAuthWithPushEnrollmentHandler() {
            @Override public void onSuccess() { show("push enrolled"); }
            @Override public void onError(OneginiMobileAuthWithPushEnrollmentError error) { show("push not enrolled " + error.getErrorType().getCode()); }
        });
    }

    private void pending(boolean denies) {
        userClient().getPendingMobileAuthWithPushRequests(new OneginiPendingMobileAuthWithPushRequestsHandler() {
            @Override public void onSuccess(Set<OneginiMobileAuthWithPushRequest> requests) {
                show("pending " + requests.stream().map(OneginiMobileAuthWithPushRequest::getMessage).toList());
                for (var request : requests) if (denies) deny(request); else handle(request);
            }
            @Override public void onError(OneginiPendingMobileAuthWithPushRequestError error) { show("not pending " + error.getErrorType().getCode()); }
        });
    }

    private void deny(OneginiMobileAuthWithPushRequest request) {
        userClient().denyMobileAuthWithPushRequest(request, new OneginiDenyMobileAuthWithPushRequestHandler() {
            @Override public void onSuccess() { show("denied"); }
            @Override public void onError(OneginiDenyMobileAuthWithPushRequestError error) { show("not denied " + error.getErrorType().getCode()); }
        });
    }

    private void handle(OneginiMobileAuthWithPushRequest request) {
        userClient().handleMobileAuthWithPushRequest(request, new OneginiMobileAuthenticationHandler() {
            @Override public void onSuccess(CustomInfo customInfo) { show("handled"); }
            @Override public void onError(OneginiMobileAuthenticationError error) { show("not handled " + error.getErrorType().getCode()); }
        });
    }

    private void web(String address) {
        userClient().getAppToWebSingleSignOn(Uri.parse(address), new OneginiAppToWebSingleSignOnHandler() {
            @Override public void onSuccess(OneginiAppToWebSingleSignOn singleSignOn) { show("link " + singleSignOn.getRedirectUrl()); }
            @Override public void onError(OneginiAppToWebSingleSignOnError error) { show("no link " + error.getErrorType().getCode()); }
        });
    }

    private void who() {
        var user = userClient().getAuthenticatedUserProfile();
        show(userClient().getUserProfiles().size() + " " + (user != null) + " " + (user != null && userClient().isUserEnrolledForMobileAuth(user)));
    }

    private OneginiIdentityProvider own() {
        return userClient().getIdentityProviders().stream().filter(each -> each.getId().equals("understudy-direct")).findFirst().orElseThrow();
    }

    private void hear(String line) {
        var parts = line.split(" ", 2);
        var word = parts.length > 1 ? parts[1] : "";
        switch (parts[0]) {
            case "start" -> start();
            case "register" -> register(null, new String[] {"openid", "profile"});
            case "landed" -> browse.callback.handleRegistrationCallback(Uri.parse(word));
            case "newpin" -> createPin.callback.acceptAuthenticationRequest(word.toCharArray());
            case "pin" -> askPin.callback.acceptAuthenticationRequest(word.toCharArray());
            case "login" -> login();
            case "changepin" -> changePin();
            case "enroll" -> enroll();
            case "scan" -> scanned(word, true);
            case "handle" -> scanned(word, false);
            case "why" -> show(why());
            case "yes" -> confirm.callback.acceptAuthenticationRequest();
            case "no" -> confirm.callback.denyAuthenticationRequest();
            case "logout" -> logout();
            case "leave" -> leave();
            case "who" -> who();
            case "providers" -> show("providers " + userClient().getIdentityProviders().stream().map(OneginiIdentityProvider::getId).sorted().toList());
            case "customize" -> register(own(), null);
            case "bring" -> bring.callback.returnSuccess(word);
            case "pushes" -> pushes();
            case "pending" -> pending(false);
            case "denypending" -> pending(true);
            case "web" -> web(word);
            default -> throw new IllegalArgumentException("what is “" + line + "”?");
        }
    }

    // Arguments: address, file.
    public static void main(String... arguments) {
        var app = new OneginiSDKGuide(arguments[0], new File(arguments[1]));
        new BufferedReader(new InputStreamReader(System.in)).lines().forEach(app::hear);
    }
}
