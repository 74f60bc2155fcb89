// The quiz: all questions are graded at once; each answer gets its own reply.

import { keepInPlace, showReply, tick } from "choice";
import { isNear, readings } from "numbers";

/** Which reply an answer gets: an index, "right", "otherwise", "unreadable" or "unanswered". */
export function replyTo(question, answer) {
  if (answer === "") return "unanswered";
  if (question.right !== undefined) return Number(answer);
  const read = readings(answer);
  if (!read.length) return "unreadable";
  if (isNear(read, question)) return "right";
  const known = question.mistakes.findIndex((mistake) => isNear(read, mistake));
  return known < 0 ? "otherwise" : known;
}

const isRight = (question, reply) => reply === (question.right ?? "right");

function gradeWord(right, count) {
  if (right === count) return "all";
  if (right * 5 >= count * 4) return "most";
  return right * 2 >= count ? "some" : "few";
}

export function startQuiz({ el, config, kept, keep }) {
  const { questions, words } = config;
  const places = [...el.querySelectorAll("[data-question]")].map((place) => ({
    place,
    radios: [...place.querySelectorAll('input[type="radio"]')],
    field: place.querySelector('input[type="text"]'),
  }));
  const [grade, again, score] = ["[data-grade]", "[data-again]", "[data-score]"].map((name) => el.querySelector(name));
  let right = null; // how many were right when last graded

  const answerOf = ({ radios, field }) => (field ? field.value.trim() : (radios.find((radio) => radio.checked)?.value ?? ""));
  const save = () => keep({ answers: places.map(answerOf), right });

  function put({ radios, field }, answer) {
    if (field) field.value = answer;
    else tick(radios, answer);
  }

  function showGrades() {
    const replies = questions.map((question, i) => replyTo(question, answerOf(places[i])));
    right = questions.filter((question, i) => isRight(question, replies[i])).length;
    replies.forEach((reply, i) => showReply(places[i].place, reply));
    again.hidden = right === questions.length;
    const told = words["quiz.score"].replace("{right}", right).replace("{count}", questions.length);
    score.textContent = `${told} ${words[`quiz.score.${gradeWord(right, questions.length)}`]}`;
  }

  function clear(which) {
    places.forEach((place, i) => {
      if (!which(i)) return;
      put(place, "");
      showReply(place.place, null);
    });
    again.hidden = true;
    score.textContent = "";
  }

  grade.addEventListener("click", () => {
    keepInPlace(grade, showGrades);
    save();
  });
  again.addEventListener("click", () => {
    const wrong = questions.map((question, i) => !isRight(question, replyTo(question, answerOf(places[i]))));
    clear((i) => wrong[i]);
    const first = places[wrong.indexOf(true)];
    (first.field ?? first.radios[0]).focus();
    save();
  });
  el.addEventListener("input", ({ target }) => {
    showReply(target.closest("[data-question]"), null); // it was about another answer
    save();
  });

  function show(kept) {
    clear(() => true);
    right = null;
    if (!Array.isArray(kept?.answers)) return;
    places.forEach((place, i) => put(place, typeof kept.answers[i] === "string" ? kept.answers[i] : ""));
    if (Number.isInteger(kept.right)) showGrades();
  }
  if (kept) show(kept);
  return {
    show,
    score: () => (right === null ? null : { right, count: questions.length }),
  };
}
