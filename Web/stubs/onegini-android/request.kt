package com.onegini.mobile.sdk.android.handlers.request

import android.net.Uri
import androidx.biometric.BiometricPrompt
import com.onegini.mobile.sdk.android.handlers.error.OneginiMobileAuthenticationError
import com.onegini.mobile.sdk.android.handlers.error.OneginiPinValidationError
import com.onegini.mobile.sdk.android.handlers.request.callback.*
import com.onegini.mobile.sdk.android.model.entity.AuthenticationAttemptCounter
import com.onegini.mobile.sdk.android.model.entity.OneginiMobileAuthenticationRequest
import com.onegini.mobile.sdk.android.model.entity.UserProfile

// What an app is asked.

interface OneginiBrowserRegistrationRequestHandler {
    /** Opens [url] in a browser. */
    fun startRegistration(url: Uri, registrationCallback: OneginiBrowserRegistrationCallback)
}

interface OneginiCreatePinRequestHandler {
    fun startPinCreation(userProfile: UserProfile, callback: OneginiPinCallback, pinLength: Int)
    fun onNextPinCreationAttempt(error: OneginiPinValidationError)
    fun finishPinCreation()
}

interface OneginiPinAuthenticationRequestHandler {
    fun startAuthentication(userProfile: UserProfile, callback: OneginiPinCallback, attemptCounter: AuthenticationAttemptCounter)
    fun onNextAuthenticationAttempt(attemptCounter: AuthenticationAttemptCounter)
    fun finishAuthentication()
}

interface OneginiMobileAuthWithOtpRequestHandler {
    fun startAuthentication(request: OneginiMobileAuthenticationRequest, callback: OneginiAcceptDenyCallback)
    fun finishAuthentication()
}

interface OneginiMobileAuthWithPushRequestHandler {
    fun startAuthentication(request: OneginiMobileAuthenticationRequest, callback: OneginiAcceptDenyCallback)
    fun finishAuthentication()
}

/** [startAuthentication] with an error after an authenticator other than the PIN failed, which the stub never says. */
interface OneginiMobileAuthWithPushPinRequestHandler {
    fun startAuthentication(
        request: OneginiMobileAuthenticationRequest, callback: OneginiPinCallback, attemptCounter: AuthenticationAttemptCounter,
        error: OneginiMobileAuthenticationError?)
    fun onNextAuthenticationAttempt(attemptCounter: AuthenticationAttemptCounter)
    fun finishAuthentication()
}

// Of authenticators other than the PIN, which are not emulated: these are never called.

interface OneginiBiometricAuthenticationRequestHandler {
    fun startAuthentication(userProfile: UserProfile, cryptoObject: BiometricPrompt.CryptoObject, callback: OneginiBiometricCallback)
    fun finishAuthentication()
}

interface OneginiCustomAuthenticationRequestHandler {
    fun startAuthentication(userProfile: UserProfile, callback: OneginiCustomCallback)
    fun finishAuthentication()
}

interface OneginiMobileAuthWithPushBiometricRequestHandler {
    fun startAuthentication(
        request: OneginiMobileAuthenticationRequest, cryptoObject: BiometricPrompt.CryptoObject, callback: OneginiBiometricCallback)
    fun finishAuthentication()
}

interface OneginiMobileAuthWithPushCustomRequestHandler {
    fun startAuthentication(request: OneginiMobileAuthenticationRequest, callback: OneginiCustomCallback)
    fun finishAuthentication()
}
