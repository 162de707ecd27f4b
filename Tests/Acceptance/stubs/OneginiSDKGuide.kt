// The app of Onegini's topic guide “Mobile authentication with OTP”, written anew from its steps, and a user at its keyboard: lines of
// standard input.
package guide

import android.net.Uri
import com.onegini.mobile.sdk.android.client.OneginiClient
import com.onegini.mobile.sdk.android.client.OneginiClientBuilder
import com.onegini.mobile.sdk.android.handlers.*
import com.onegini.mobile.sdk.android.handlers.action.OneginiCustomRegistrationAction
import com.onegini.mobile.sdk.android.handlers.error.*
import com.onegini.mobile.sdk.android.handlers.request.*
import com.onegini.mobile.sdk.android.handlers.request.callback.*
import com.onegini.mobile.sdk.android.model.OneginiAppToWebSingleSignOn
import com.onegini.mobile.sdk.android.model.OneginiCustomIdentityProvider
import com.onegini.mobile.sdk.android.model.entity.*
import java.io.File

private fun show(line: String) = synchronized(System.out) { println(line).also { System.out.flush() } }

class CreatePin : OneginiCreatePinRequestHandler {
    var callback: OneginiPinCallback? = null
    private var length = 0

    override fun startPinCreation(userProfile: UserProfile, callback: OneginiPinCallback, pinLength: Int) {
        this.callback = callback
        length = pinLength
        show("choose a PIN of $pinLength 0")
    }

    override fun onNextPinCreationAttempt(error: OneginiPinValidationError) = show("choose a PIN of $length ${error.errorType.code}")
    override fun finishPinCreation() { callback = null }
}

class AskPin : OneginiPinAuthenticationRequestHandler {
    var callback: OneginiPinCallback? = null

    override fun startAuthentication(userProfile: UserProfile, callback: OneginiPinCallback, attemptCounter: AuthenticationAttemptCounter) {
        this.callback = callback
        show("PIN? ${attemptCounter.remainingAttempts} 0")
    }

    override fun onNextAuthenticationAttempt(attemptCounter: AuthenticationAttemptCounter) = show("PIN? ${attemptCounter.remainingAttempts} 9009")
    override fun finishAuthentication() { callback = null }
}

class Browse : OneginiBrowserRegistrationRequestHandler {
    var callback: OneginiBrowserRegistrationCallback? = null

    override fun startRegistration(url: Uri, registrationCallback: OneginiBrowserRegistrationCallback) {
        callback = registrationCallback
        show("open $url")
    }
}

/** An identity provider of the app's own. */
class OwnProvider(private val action: OneginiCustomRegistrationAction) : OneginiCustomIdentityProvider {
    override fun getId() = "understudy-direct"
    override fun getRegistrationAction() = action
}

class Bring : OneginiCustomRegistrationAction {
    var callback: OneginiCustomRegistrationCallback? = null

    override fun finishRegistration(callback: OneginiCustomRegistrationCallback, customInfo: CustomInfo?) {
        this.callback = callback
        show("bring data ${customInfo?.status ?: 0}")
    }
}

class Confirm : OneginiMobileAuthWithOtpRequestHandler, OneginiMobileAuthWithPushRequestHandler {
    var callback: OneginiAcceptDenyCallback? = null

    override fun startAuthentication(request: OneginiMobileAuthenticationRequest, callback: OneginiAcceptDenyCallback) {
        this.callback = callback
        show("confirm? ${request.message} (${request.type})")
    }

    override fun finishAuthentication() { callback = null }
}

class GuideApp(address: String, file: File) {
    private val createPin = CreatePin()
    private val askPin = AskPin()
    private val browse = Browse()
    private val confirm = Confirm()
    private val bring = Bring()
    private val oneginiClient: OneginiClient = OneginiClientBuilder(null, createPin, askPin)
        .setBrowserRegistrationRequestHandler(browse)
        .setMobileAuthWithOtpRequestHandler(confirm)
        .setMobileAuthWithPushRequestHandler(confirm)
        .addCustomIdentityProvider(OwnProvider(bring))
        .connect(address, "com.example.understudy", "1.0.0", "understudy-android-1.0.0", file)
        .build()
    private val userClient get() = oneginiClient.userClient

    private fun start() = oneginiClient.start(object : OneginiInitializationHandler {
        override fun onSuccess(removedUserProfiles: Set<UserProfile>) = show("started true ${userClient.userProfiles.size}")
        override fun onError(error: OneginiInitializationError) = show("failed ${error.errorType.code}")
    })

    private fun register() = userClient.registerUser(null, arrayOf("openid", "profile"), object : OneginiRegistrationHandler {
        override fun onSuccess(userProfile: UserProfile, customInfo: CustomInfo?) = show("registered ${userProfile.profileId.length}")
        override fun onError(error: OneginiRegistrationError) = show("not registered ${error.errorType.code}")
    })

    private fun login() = userClient.authenticateUser(userClient.userProfiles.first(), object : OneginiAuthenticationHandler {
        override fun onSuccess(userProfile: UserProfile, customInfo: CustomInfo?) = show("authenticated")
        override fun onError(error: OneginiAuthenticationError) = show("not authenticated ${error.errorType.code}")
    })

    private fun changePin() = userClient.changePin(object : OneginiChangePinHandler {
        override fun onSuccess() = show("PIN changed")
        override fun onError(error: OneginiChangePinError) = show("PIN not changed ${error.errorType.code}")
    })

    // Step of the guide: the user has to be enrolled, and authenticated.
    private fun enroll() = userClient.enrollUserForMobileAuth(object : OneginiMobileAuthEnrollmentHandler {
        override fun onSuccess() = show("enrolled")
        override fun onError(error: OneginiMobileAuthEnrollmentError) = show("not enrolled ${error.errorType.code}")
    })

    // Step of the guide: the camera has read a code. Android's SDK has no question whether it can be handled.
    private fun scanned(otp: String, asked: Boolean = true) = userClient.handleMobileAuthWithOtp(otp, object : OneginiMobileAuthWithOtpHandler {
        override fun onSuccess() = show("handled")
        override fun onError(error: OneginiMobileAuthWithOtpError) {
            failure = error.errorType
            show(if (asked && error.errorType == OneginiMobileAuthWithOtpError.Type.NOT_HANDLEABLE) "cannot handle" else "not handled ${error.errorType.code}")
        }
    })

    private var failure: OneginiMobileAuthWithOtpError.Type? = null

    // The cases of the guide's switch.
    private fun why() = when (failure) {
        OneginiMobileAuthWithOtpError.Type.DEVICE_DEREGISTERED -> "DeviceDeregistered"
        OneginiMobileAuthWithOtpError.Type.USER_DEREGISTERED -> "UserDeregistered"
        OneginiMobileAuthWithOtpError.Type.NETWORK_CONNECTIVITY_PROBLEM -> "NetworkConnectivityFailure"
        OneginiMobileAuthWithOtpError.Type.SERVER_NOT_REACHABLE -> "ServerNotReachable"
        OneginiMobileAuthWithOtpError.Type.MOBILE_AUTHENTICATION_REQUEST_NOT_FOUND -> "NotFound"
        OneginiMobileAuthWithOtpError.Type.NOT_HANDLEABLE -> "NotHandleable"
        OneginiMobileAuthWithOtpError.Type.USER_DISENROLLED -> "UserDisenrolled"
        OneginiMobileAuthWithOtpError.Type.MOBILE_AUTHENTICATION_NOT_ENROLLED -> "NotEnrolled"
        OneginiMobileAuthWithOtpError.Type.USER_NOT_AUTHENTICATED -> "UserNotAuthenticated"
        else -> "another error"
    }

    private fun logout() = userClient.logout(object : OneginiLogoutHandler {
        override fun onSuccess() = show("logged out true")
        override fun onError(error: OneginiLogoutError) = show("logged out false")
    })

    private fun leave() = userClient.deregisterUser(userClient.userProfiles.first(), object : OneginiDeregisterUserProfileHandler {
        override fun onSuccess() = show("left true")
        override fun onError(error: OneginiDeregistrationError) = show("left false")
    })

    private fun customize() = userClient.registerUser(userClient.identityProviders.first { it.id == "understudy-direct" }, null, object : OneginiRegistrationHandler {
        override fun onSuccess(userProfile: UserProfile, customInfo: CustomInfo?) = show("registered ${userProfile.profileId.length} ${customInfo?.status}")
        override fun onError(error: OneginiRegistrationError) = show("not registered ${error.errorType.code}")
    })

    private fun pushes() = userClient.enrollUserForMobileAuthWithPush("token", object : OneginiMobileAuthWithPushEnrollmentHandler {
        override fun onSuccess() = show("push enrolled")
        override fun onError(error: OneginiMobileAuthWithPushEnrollmentError) = show("push not enrolled ${error.errorType.code}")
    })

    private fun pending(deny: Boolean) = userClient.getPendingMobileAuthWithPushRequests(object : OneginiPendingMobileAuthWithPushRequestsHandler {
        override fun onSuccess(requests: Set<OneginiMobileAuthWithPushRequest>) {
            show("pending ${requests.map { it.message }}")
            if (deny) userClient.denyMobileAuthWithPushRequest(requests.first(), denial)
            else requests.forEach { userClient.handleMobileAuthWithPushRequest(it, handling) }
        }
        override fun onError(error: OneginiPendingMobileAuthWithPushRequestError) = show("not pending ${error.errorType.code}")
    })

    private val denial = object : OneginiDenyMobileAuthWithPushRequestHandler {
        override fun onSuccess() = show("denied")
        override fun onError(error: OneginiDenyMobileAuthWithPushRequestError) = show("not denied ${error.errorType.code}")
    }

    private val handling = object : OneginiMobileAuthenticationHandler {
        override fun onSuccess(customInfo: CustomInfo?) = show("handled")
        override fun onError(error: OneginiMobileAuthenticationError) = show("not handled ${error.errorType.code}")
    }

    private fun web(address: String) = userClient.getAppToWebSingleSignOn(Uri.parse(address), object : OneginiAppToWebSingleSignOnHandler {
        override fun onSuccess(singleSignOn: OneginiAppToWebSingleSignOn) = show("link ${singleSignOn.redirectUrl}")
        override fun onError(error: OneginiAppToWebSingleSignOnError) = show("no link ${error.errorType.code}")
    })

    private fun who() {
        val user = userClient.authenticatedUserProfile
        show("${userClient.userProfiles.size} ${user != null} ${user != null && userClient.isUserEnrolledForMobileAuth(user)}")
    }

    fun hear(line: String) {
        val word = line.substringAfter(' ', "")
        when (line.substringBefore(' ')) {
            "start" -> start()
            "register" -> register()
            "landed" -> browse.callback!!.handleRegistrationCallback(Uri.parse(word))
            "newpin" -> createPin.callback!!.acceptAuthenticationRequest(word.toCharArray())
            "pin" -> askPin.callback!!.acceptAuthenticationRequest(word.toCharArray())
            "login" -> login()
            "changepin" -> changePin()
            "enroll" -> enroll()
            "scan" -> scanned(word)
            "handle" -> scanned(word, asked = false)
            "why" -> show(why())
            "yes" -> confirm.callback!!.acceptAuthenticationRequest()
            "no" -> confirm.callback!!.denyAuthenticationRequest()
            "logout" -> logout()
            "leave" -> leave()
            "who" -> who()
            "providers" -> show("providers ${userClient.identityProviders.map { it.id }.sorted()}")
            "customize" -> customize()
            "bring" -> bring.callback!!.returnSuccess(word)
            "pushes" -> pushes()
            "pending" -> pending(deny = false)
            "denypending" -> pending(deny = true)
            "web" -> web(word)
            else -> error("what is “$line”?")
        }
    }
}

/** Arguments: address, file. */
fun main(arguments: Array<String>) {
    val app = GuideApp(arguments[0], File(arguments[1]))
    generateSequence(::readLine).forEach(app::hear)
}
